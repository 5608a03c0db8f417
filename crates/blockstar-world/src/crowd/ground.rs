//! What units know of the map when they step: where they may stand, and how far it is from there.

use blockstar::Cell;

/// The map as each unit sees it. A unit of n x n cells is named by its upper left cell.
///
/// Answers must not change during a step; beyond that, anything goes: a distance may be an
/// estimate, and other units may make it longer.
pub trait Ground {
    /// Whether the unit, with all of its cells, may stand at `cell`. What lies outside the map is
    /// never asked for.
    fn may_enter(&self, agent: u32, cell: Cell) -> bool;

    /// How far the unit still has to go from `cell`; lower is nearer, `u32::MAX` is a place where
    /// it never goes, not even to let another pass.
    fn distance(&self, agent: u32, cell: Cell) -> u32;

    /// Whether the unit may step back to let another pass where there is no room for two. That is
    /// good manners and often the only way; but two may keep bowing to each other, so whoever has
    /// come no nearer for long should insist for a while.
    fn may_swap(&self, agent: u32) -> bool {
        let _ = agent;
        true
    }
}
