//! A running world as bytes, and back.
//!
//! Saved is what cannot be found again: settings, map, units, groups, places with their fields, and
//! the queue. Searches under way are saved as the question and the expansions spent on it, and run
//! again when the world is loaded. Everything else (what classes see, who stands where, the index of
//! ways) is made anew.
//!
//! **A file is not trusted.** It has a version and a checksum, and everything that it names is looked
//! up: a forged file may send units on detours, but never two onto one cell or one into a wall.

use crate::claims::Claims;
use crate::disc::CELL;
use crate::hash::of_bytes;
use crate::id::Slots;
use crate::layer::Layer;
use crate::map::Map;
use crate::pack::{Pack, Reader};
use crate::place::Places;
use crate::queue::Queue;
use crate::unit::Unit;
use crate::{Error, Settings, Stepping, World};

const MAGIC: &[u8; 8] = b"bstworld";
const VERSION: u32 = 3;

impl World {
    /// The world as bytes that [`World::load`] reads: in the middle of everything, and it goes on
    /// just as this one does.
    pub fn save(&self) -> Vec<u8> {
        let mut body = Vec::new();
        self.pack_settings(&mut body);
        self.map.pack(&mut body);
        self.units.pack(&mut body);
        self.pack_places(&mut body);
        self.pack_queue(&mut body);
        self.pack_counters(&mut body);
        let mut bytes = MAGIC.to_vec();
        VERSION.pack(&mut bytes);
        of_bytes(&body).pack(&mut bytes);
        bytes.append(&mut body);
        bytes
    }

    /// The world that was saved.
    pub fn load(bytes: &[u8]) -> Result<Self, Error> {
        let mut from = Reader(bytes);
        if from.take(8) != Some(MAGIC) {
            return Err(refuse("it is no saved world (its first bytes say so)"));
        }
        let short = || refuse("it ends too early: fetch it again");
        let version = u32::unpack(&mut from).ok_or_else(short)?;
        if version != VERSION {
            return Err(Error::File(format!(
                "it has format {version} and this library reads format {VERSION}: save it again"
            )));
        }
        let sum = u64::unpack(&mut from).ok_or_else(short)?;
        if of_bytes(from.0) != sum {
            return Err(refuse("its checksum is wrong, so it is damaged: fetch it again"));
        }
        Self::unpack(&mut from).map_err(|error| match error {
            Error::File(_) => error,
            error => Error::File(error.to_string()),
        })
    }

    pub(crate) fn pack_places(&self, out: &mut Vec<u8>) {
        self.groups.pack(out);
        self.places.pack(out);
        self.changes.pack(out);
    }

    pub(crate) fn pack_queue(&self, out: &mut Vec<u8>) {
        self.quick.pack(out);
        self.full.pack(out);
        self.repair.pack(out);
        self.jams.pack(out);
    }

    pub(crate) fn pack_counters(&self, out: &mut Vec<u8>) {
        let openings: Vec<_> = self.openings.iter().copied().collect();
        openings.pack(out);
        let stranded: Vec<u32> = self.stranded.iter().copied().collect();
        stranded.pack(out);
        self.recheck.pack(out);
        (self.sweep, self.turn).pack(out);
        (self.tick, self.edition, self.last_order).pack(out);
        self.last_serial.pack(out);
        self.pending.pack(out);
        self.stepper.ticks().pack(out);
        self.pack_chokes(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Result<Self, Error> {
        let odd = || refuse("it does not make sense, although its checksum is right");
        let settings = Settings::unpack(from).ok_or_else(odd)?;
        settings.check()?;
        let map = Map::unpack(from).ok_or_else(odd)?;
        map.check().ok_or_else(odd)?;
        let mut world = Self::on(map, settings)?;
        world.units = Slots::unpack(from).ok_or_else(odd)?;
        world.groups = Slots::unpack(from).ok_or_else(odd)?;
        world.places = Places::unpack(from).ok_or_else(odd)?;
        world.changes = Pack::unpack(from).ok_or_else(odd)?;
        world.quick = Pack::unpack(from).ok_or_else(odd)?;
        world.full = Queue::unpack(from).ok_or_else(odd)?;
        world.repair = Queue::unpack(from).ok_or_else(odd)?;
        world.jams = Pack::unpack(from).ok_or_else(odd)?;
        world.openings = Vec::unpack(from).ok_or_else(odd)?.into();
        world.stranded = Vec::<u32>::unpack(from).ok_or_else(odd)?.into_iter().collect();
        world.recheck = Pack::unpack(from).ok_or_else(odd)?;
        (world.sweep, world.turn) = Pack::unpack(from).ok_or_else(odd)?;
        (world.tick, world.edition, world.last_order) = Pack::unpack(from).ok_or_else(odd)?;
        world.last_serial = Pack::unpack(from).ok_or_else(odd)?;
        world.pending = Pack::unpack(from).ok_or_else(odd)?;
        let ticks = u32::unpack(from).ok_or_else(odd)?;
        world.unpack_chokes(from).ok_or_else(odd)?;
        if !from.0.is_empty() {
            return Err(refuse("it has more bytes than it should"));
        }
        world.stepper.set_ticks(ticks);
        world.prove().ok_or_else(odd)?;
        world.make_anew().ok_or_else(odd)?;
        world.full.catch_up(&world.layers);
        world.repair.catch_up(&world.layers);
        Ok(world)
    }

    /// Looks everything up that something else names.
    fn prove(&self) -> Option<()> {
        let far = 1 << 48;
        let counters = [self.tick, self.edition, self.last_order];
        (counters.iter().all(|&count| count < far)).then_some(())?;
        let inside = |cell| self.map.contains(cell);
        let place = |number: u32| self.places.get(number).is_some();
        for (slot, unit) in self.units.iter() {
            self.check_unit(slot, unit)?;
            let home = unit.home.is_none_or(inside) && unit.parked.is_none_or(place);
            home.then_some(())?;
            let given = |given: &crate::unit::Given| {
                let most = match &given.order {
                    crate::Order::Patrol { stops, .. } => stops.len() as u64,
                    _ => far,
                };
                given.count < most
                    && given.post.is_none_or(inside)
                    && given.limit.is_none_or(|limit| limit > 0)
                    && self.check_goals(&given.order)
            };
            unit.orders.iter().all(given).then_some(())?;
        }
        for (_, place) in self.places.iter() {
            let layer = self.layers.get(usize::from(place.layer))?;
            (!place.sources.is_empty() && place.sources.iter().all(|&cell| inside(cell)))
                .then_some(())?;
            place.field.as_ref().map_or(Some(()), |field| field.check(&layer.grid))?;
            place.check(&layer.grid)?;
        }
        for (slot, group) in self.groups.iter() {
            (group.id.slot() == slot
                && Some(u32::from(self.groups.generation(slot)?)) == Some(group.id.generation()))
            .then_some(())?;
            let there = |member: &crate::UnitId| {
                self.units.get(member.slot()).is_some_and(|unit| unit.id == *member)
            };
            group.members.iter().all(there).then_some(())?;
        }
        for ticket in self.full.tickets().chain(self.repair.tickets()) {
            self.layers.get(usize::from(ticket.layer))?;
            (inside(ticket.from) && inside(ticket.to) && ticket.born <= self.tick).then_some(())?;
        }
        self.jams.iter().all(|jam| jam.is_whole(inside)).then_some(())?;
        let asked = self.quick.iter().all(|&(.., since)| since <= self.tick);
        asked.then_some(())?;
        let rect = |rect| self.map.check_rect("", rect).is_ok();
        self.changes.rects().all(rect).then_some(())?;
        let openings = self.openings.iter().all(|&(edition, layer, place)| {
            edition <= self.edition && usize::from(layer) < self.layers.len() && rect(place)
        });
        openings.then_some(())
    }

    fn check_unit(&self, slot: u32, unit: &Unit) -> Option<()> {
        let class = self.settings.classes.get(usize::from(unit.class))?;
        let layer_id = *self.layer_of.get(usize::from(unit.class))?;
        let layer = &self.layers[usize::from(layer_id)];
        let body = &unit.body;
        let side = |v: i32, most: u32| (0..=most as i32 * blockstar::Point::UNITS).contains(&v);
        let on_map = |spot: crate::route::Spot| {
            side(spot.x, self.map.width) && side(spot.y, self.map.height)
        };
        let generation = u32::from(self.units.generation(slot)?);
        let good = (unit.id.slot(), unit.id.generation()) == (slot, generation)
            && unit.layer == layer_id
            && unit.size == class.size
            && layer.grid.is_free(body.cell)
            && on_map(body.from)
            && on_map(body.to)
            && body.length < 1 << 48
            && (body.progress < body.length || (body.length == 0 && body.progress == 0))
            && body.carry < 1 << 48
            && unit.away <= self.tick;
        good.then_some(())?;
        self.check_glide(unit, layer)?;
        let any_angle = self.settings.moves.rule().is_any_angle();
        if !any_angle && body.to.cell() != body.cell {
            return None;
        }
        if let Some(errand) = &unit.errand {
            let place = self.places.get(errand.place)?;
            let ladder = &errand.ladder;
            let good = place.layer == layer_id
                && self.map.contains(errand.target)
                && errand.born <= self.tick
                && errand.edition <= self.edition
                && ladder.since <= self.tick
                && ladder.rests <= 5
                && ladder.until < 1 << 49
                && errand.post.is_none_or(|post| self.map.contains(post));
            good.then_some(())?;
            errand.route.check(&layer.grid, self.settings.moves)?;
        }
        Some(())
    }

    /// Refuses a unit in the plane that is in a wall, or whose cell is another.
    fn check_glide(&self, unit: &Unit, layer: &Layer) -> Option<()> {
        let in_plane = self.settings.stepping == Stepping::Plane;
        let Some(glide) = unit.body.glide else { return (!in_plane).then_some(()) };
        let fastest = 1 << 30;
        let good = in_plane
            && (0..=self.map.width as i32 * CELL).contains(&glide.x)
            && (0..=self.map.height as i32 * CELL).contains(&glide.y)
            && (-fastest..=fastest).contains(&glide.vx)
            && (-fastest..=fastest).contains(&glide.vy)
            && glide.cell() == unit.body.cell
            && (glide.spot(), 0) == (unit.body.from, unit.body.length)
            && glide.is_clear(self.radii(unit).1, |cell| layer.grid.is_free(cell));
        good.then_some(())
    }

    /// Makes what is not saved: who stands where, whose cells are whose, the index of ways.
    fn make_anew(&mut self) -> Option<()> {
        self.claims = Claims::new(self.map.width, self.map.height);
        let slots: Vec<u32> = self.units.iter().map(|(slot, _)| slot).collect();
        for slot in slots {
            let unit = self.units.get(slot)?;
            if self.settings.stepping == Stepping::Cells {
                self.stepper.place(slot, unit.body.cell, unit.size).ok()?;
            }
            let glide = unit.body.glide;
            // Those before it are shown already.
            glide
                .is_none_or(|glide| self.touched(slot, glide, unit.class).is_none())
                .then_some(())?;
            let claimed = unit.errand.as_ref().filter(|errand| errand.claimed);
            for cell in unit.home.into_iter().chain(claimed.map(|errand| errand.target)) {
                self.claims.is_free(cell, unit.size, slot).then_some(())?;
                self.claims.take(cell, unit.size, slot);
            }
            if let Some(errand) = &unit.errand {
                self.cuts.list(slot, &errand.route, self.settings.moves);
            }
            self.show(slot);
        }
        Some(())
    }

    fn check_goals(&self, order: &crate::Order) -> bool {
        use crate::{Goal, Order};
        let goal = |goal: &Goal| match goal {
            Goal::Cell(cell) | Goal::Near(cell, _) => self.map.contains(*cell),
            Goal::Any(cells) => {
                !cells.is_empty() && cells.iter().all(|&cell| self.map.contains(cell))
            }
            Goal::Beside(rect) => self.map.check_rect("", *rect).is_ok(),
        };
        match order {
            Order::Move { to, .. } => goal(to),
            Order::Patrol { stops, .. } => !stops.is_empty() && stops.iter().all(goal),
            _ => true,
        }
    }
}

fn refuse(problem: &str) -> Error {
    Error::File(problem.into())
}
