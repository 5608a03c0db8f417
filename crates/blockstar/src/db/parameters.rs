//! What planners that save prepared data have in common.

use crate::{Diagonal, Grid, Moves, Rule};

/// The number of lowest bits of a database's parameters that hold the movement rule.
pub(crate) const MOVES_BITS: u32 = 8;

/// A movement rule as the lowest byte of a database's parameters.
pub(crate) fn moves_code(moves: Moves) -> u64 {
    moves.rule() as u64 | (moves.diagonal() as u64) << 4
}

/// The movement rule in the parameters of a database.
pub(crate) fn read_moves(parameters: u64) -> Option<Moves> {
    let rule = Rule::CELLS.iter().copied().find(|&rule| rule as u64 == parameters & 15)?;
    let diagonals = [Diagonal::Sqrt2, Diagonal::OnePointFour];
    let diagonal = diagonals.into_iter().find(|&d| d as u64 == parameters >> 4 & 15)?;
    Some(Moves::new(rule).with_diagonal(diagonal))
}

/// Checks that the parameters of a database are for a rule. If not, says why.
pub(crate) fn check_moves(parameters: u64, moves: Moves) -> Result<(), String> {
    let made_for = read_moves(parameters);
    if made_for == Some(moves) {
        return Ok(());
    }
    let rule = made_for.map_or("an unknown rule".into(), |m| format!("the rule {m}"));
    Err(format!("it was made for {rule}, not for the rule {moves}"))
}

/// The memory that a database may take, in MiB, as 24 bits of its parameters.
pub(crate) fn memory_code(bytes: usize) -> u64 {
    (bytes.div_ceil(1 << 20) as u64).min((1 << 24) - 1)
}

/// The number of bytes that such a code stands for.
pub(crate) fn read_memory(code: u64) -> usize {
    ((code & ((1 << 24) - 1)) << 20).try_into().unwrap_or(usize::MAX)
}

/// The next number of a payload, if it is the node of a free cell.
pub(crate) fn take_free(payload: &mut &[u8], grid: &Grid) -> Option<u32> {
    crate::db::take_u32(payload).filter(|&node| is_free_node(grid, node))
}

/// Whether a number is the node of a free cell.
pub(crate) fn is_free_node(grid: &Grid, node: u32) -> bool {
    let rows = grid.rows();
    node >= rows.position(0, 0) && (node as usize) < rows.positions() && rows.get(node)
}
