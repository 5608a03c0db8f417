//! The time, from whoever has a clock: WebAssembly has none of its own.

/// A clock that the host of a session gives it.
pub struct Clock {
    name: &'static str,
    resolution: f64,
    now: Box<dyn Fn() -> f64 + Send>,
    /// Where work is shared by threads, of which `now` may see one only.
    wall: Option<Box<dyn Fn() -> f64 + Send>>,
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a {} clock", self.name)
    }
}

impl Clock {
    /// A clock of a kind (`processor`, `wall`) that tells microseconds, with the smallest difference
    /// that can be trusted.
    pub fn new(
        name: &'static str,
        resolution: f64,
        now: impl Fn() -> f64 + Send + 'static,
    ) -> Self {
        Self { name, resolution, now: Box::new(now), wall: None }
    }

    /// The same with wall time for preparations and updates, which several threads may share.
    #[must_use]
    pub fn and_wall(self, wall: impl Fn() -> f64 + Send + 'static) -> Self {
        Self { wall: Some(Box::new(wall)), ..self }
    }

    /// No clock: times are 0, and nothing takes too long.
    pub fn none() -> Self {
        Self::new("none", 0.0, || 0.0)
    }

    /// Wall time.
    #[cfg(not(target_family = "wasm"))]
    pub fn wall() -> Self {
        let start = std::time::Instant::now();
        Self::new("wall", 0.2, move || start.elapsed().as_secs_f64() * 1e6)
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn resolution(&self) -> f64 {
        self.resolution
    }

    pub(crate) fn now(&self) -> f64 {
        (self.now)()
    }

    /// What some work took that threads may share, and what it made.
    pub(crate) fn time_shared<T>(&self, work: impl FnOnce() -> T) -> (f64, T) {
        let now = self.wall.as_ref().unwrap_or(&self.now);
        let start = now();
        let made = work();
        (now() - start, made)
    }

    /// What some work took, and what it made.
    pub(crate) fn time<T>(&self, work: impl FnOnce() -> T) -> (f64, T) {
        let start = self.now();
        let made = work();
        (self.now() - start, made)
    }
}
