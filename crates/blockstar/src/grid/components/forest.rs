//! A union-find in which every parent is smaller than its children.

#[derive(Clone, Debug, Default)]
pub(super) struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    /// Starts again with `count` trees of one node.
    pub fn reset(&mut self, count: u32) {
        self.parents.clear();
        self.parents.extend(0..count);
    }

    /// Joins the trees of two nodes. This is Rem's algorithm: it climbs from whichever node has the
    /// larger parent and on the way hangs it below the smaller one, which shortens the path too.
    #[inline]
    pub fn join(&mut self, mut a: u32, mut b: u32) {
        loop {
            if self.parents[a as usize] < self.parents[b as usize] {
                std::mem::swap(&mut a, &mut b);
            }
            let (larger, smaller) = (self.parents[a as usize], self.parents[b as usize]);
            if larger == smaller {
                return;
            }
            self.parents[a as usize] = smaller;
            if larger == a {
                return;
            }
            a = larger;
        }
    }

    /// Makes every parent a root. One pass is enough, since a parent comes before its children.
    pub fn flatten(&mut self) {
        for node in 0..self.parents.len() {
            self.parents[node] = self.parents[self.parents[node] as usize];
        }
    }

    /// The parents of all nodes: once [flat](Self::flatten), the smallest node of each tree.
    #[inline]
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    pub fn bytes(&self) -> usize {
        super::bytes(&self.parents)
    }
}
