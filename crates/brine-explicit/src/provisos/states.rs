//! What the depth-first search knows of each state: 8 bytes.

/// How dangerous a state is (DKPR16 section 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ProvisoColour {
    /// Not seen yet.
    #[default]
    White,
    /// On the stack, not expanded, all successors so far were green.
    Orange,
    /// On the stack, not expanded, some successor was not green.
    Purple,
    /// Every cycle through the state has an expanded state.
    Green,
    /// Left the stack, and may close a cycle without expanded state.
    Red,
}

/// Where a state that was seen is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum StackPlace {
    #[default]
    Stack,
    /// It left the stack.
    Left,
    /// It left the stack with its whole component. Only if components are kept.
    Dead,
}

/// A state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ProvisoState {
    /// Position on the stack, from 1; meaningful while it is there.
    pub(super) depth: u32,
    pub(super) colour: ProvisoColour,
    pub(super) place: StackPlace,
    /// To be expanded when it is left.
    pub(super) mark: bool,
    /// All its successors are visited.
    pub(super) expanded: bool,
}

impl ProvisoState {
    pub(super) fn is_seen(self) -> bool {
        self.colour != ProvisoColour::White
    }

    pub(super) fn is_on_stack(self) -> bool {
        self.is_seen() && self.place == StackPlace::Stack
    }
}
