//! What was done to a world, to be done again.

use crate::hash::of_bytes;
use crate::pack::{Pack, Reader};
use crate::{Command, Error, World};

const MAGIC: &[u8; 8] = b"bstrepla";

/// A command and when it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// How many ticks had passed.
    pub tick: u64,
    /// What was to be done.
    pub command: Command,
}

/// A world as it was, and every command since: enough to see everything again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    start: Vec<u8>,
    commands: Vec<Given>,
    end: u64,
}

impl Recording {
    pub(crate) fn note(&mut self, tick: u64, command: &Command) {
        self.commands.push(Given { tick, command: command.clone() });
    }

    /// The commands, in order.
    pub fn commands(&self) -> &[Given] {
        &self.commands
    }

    /// The tick that it ends with.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The world that it begins with.
    pub fn start(&self) -> Result<World, Error> {
        World::load(&self.start)
    }

    /// Does everything again, and calls `each` after every tick.
    pub fn play(&self, mut each: impl FnMut(&World)) -> Result<World, Error> {
        let mut world = self.start()?;
        let mut commands = self.commands.iter().peekable();
        loop {
            while let Some(given) = commands.next_if(|given| given.tick <= world.now()) {
                // What failed then fails now.
                let _ = world.apply(&given.command);
            }
            if world.now() >= self.end {
                return Ok(world);
            }
            world.tick();
            each(&world);
        }
    }

    /// The recording as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        self.start.pack(&mut body);
        self.commands.pack(&mut body);
        self.end.pack(&mut body);
        let mut bytes = MAGIC.to_vec();
        of_bytes(&body).pack(&mut bytes);
        bytes.append(&mut body);
        bytes
    }

    /// The recording that was written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut from = Reader(bytes);
        if from.take(MAGIC.len()) != Some(MAGIC) {
            return Err(Error::File("it is no recording (its first bytes say so)".into()));
        }
        let sum = u64::unpack(&mut from);
        if sum != Some(of_bytes(from.0)) {
            return Err(Error::File("its checksum is wrong: fetch it again".into()));
        }
        let read = |from: &mut Reader<'_>| {
            let (start, commands) = (Vec::unpack(from)?, Vec::unpack(from)?);
            let end = u64::unpack(from)?;
            from.0.is_empty().then_some(Self { start, commands, end })
        };
        read(&mut from).ok_or_else(|| {
            Error::File("it does not make sense, although its checksum is right".into())
        })
    }
}

impl World {
    /// Writes every command down from now on.
    pub fn record(&mut self) {
        self.recording = None;
        let recording = Recording { start: self.save(), commands: Vec::new(), end: self.tick };
        self.recording = Some(recording);
    }

    /// What was written down, up to now.
    pub fn take_recording(&mut self) -> Option<Recording> {
        let mut recording = self.recording.take()?;
        recording.end = self.tick;
        Some(recording)
    }
}
