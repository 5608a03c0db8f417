//! Numbers to look at, each once.

#[derive(Clone, Debug)]
pub(super) struct Worklist {
    list: Vec<u32>,
    listed: Vec<bool>,
}

impl Worklist {
    /// An empty list of numbers below `count`.
    pub fn new(count: usize) -> Self {
        Self { list: Vec::new(), listed: vec![false; count] }
    }

    pub fn add(&mut self, number: usize) {
        if !std::mem::replace(&mut self.listed[number], true) {
            self.list.push(number as u32);
        }
    }

    pub fn has(&self, number: usize) -> bool {
        self.listed[number]
    }

    pub fn pop(&mut self) -> Option<usize> {
        let number = self.list.pop()? as usize;
        self.listed[number] = false;
        Some(number)
    }

    pub fn bytes(&self) -> usize {
        super::bytes(&self.list) + super::bytes(&self.listed)
    }
}
