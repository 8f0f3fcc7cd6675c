//! A partition of the values of one simple sort.
//!
//! Invariant: classes are numbered in the order of their least values. So the partition into
//! single values numbers each value by itself.

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Partition {
    class: Vec<u32>,
    classes: u32,
}

impl Partition {
    /// All values alike.
    pub(super) fn whole(size: u32) -> Partition {
        debug_assert!(size > 0, "a sort has a value");
        Partition { class: vec![0; size as usize], classes: 1 }
    }

    /// The class of a value.
    pub(super) fn class(&self, value: u32) -> u32 {
        self.class[value as usize]
    }

    /// How many classes there are.
    pub(super) fn classes(&self) -> u32 {
        self.classes
    }

    /// How many values there are.
    pub(super) fn size(&self) -> u32 {
        self.class.len() as u32
    }

    /// Whether every value is alone.
    pub(super) fn is_discrete(&self) -> bool {
        self.classes == self.size()
    }

    /// Makes every value alone; says whether that is new.
    pub(super) fn separate(&mut self) -> bool {
        let new = !self.is_discrete();
        self.classes = self.size();
        self.class = (0..self.classes).collect();
        new
    }

    /// Parts values with different keys; says whether that is new.
    pub(super) fn split(&mut self, key: impl Fn(u32) -> u32) -> bool {
        if self.is_discrete() {
            return false;
        }
        let old = (0..).zip(&self.class);
        let mut keyed: Vec<(u32, u32, u32)> =
            old.map(|(value, &class)| (class, key(value), value)).collect();
        keyed.sort_unstable();
        // The first of each group is its least value.
        let groups = keyed.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        groups.for_each(|group| group.iter().for_each(|g| self.class[g.2 as usize] = group[0].2));
        let before = self.classes;
        self.number();
        debug_assert!(before <= self.classes, "a split joins nothing");
        before < self.classes
    }

    /// Numbers the classes, each of which is called by its least value.
    fn number(&mut self) {
        self.classes = 0;
        for value in 0..self.class.len() {
            let least = self.class[value] as usize;
            debug_assert!(least <= value, "the least value of a class");
            if least == value {
                self.class[value] = self.classes;
                self.classes += 1;
            } else {
                self.class[value] = self.class[least];
            }
        }
    }

    /// Makes each of these values alone.
    pub(super) fn isolate(&mut self, values: &[u32]) {
        let mut chosen = vec![0; self.class.len()];
        for &v in values {
            chosen[v as usize] = v + 1;
        }
        self.split(|v| chosen[v as usize]);
    }

    /// The least value of a class, and how many it has.
    pub(super) fn least_and_size(&self, class: u32) -> Option<(u32, usize)> {
        if self.is_discrete() {
            return (class < self.classes).then_some((class, 1));
        }
        let mut members = (0..).zip(&self.class).filter(|&(_, &c)| c == class);
        let (least, _) = members.next()?;
        Some((least, 1 + members.count()))
    }

    /// Of each class, the least value.
    pub(super) fn least(&self) -> Vec<u32> {
        let mut least = Vec::with_capacity(self.classes as usize);
        for (value, &class) in (0..).zip(&self.class) {
            if class as usize == least.len() {
                least.push(value);
            }
        }
        least
    }

    /// Of each class, the number of its values.
    pub(super) fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.classes as usize];
        self.class.iter().for_each(|&class| sizes[class as usize] += 1);
        sizes
    }
}
