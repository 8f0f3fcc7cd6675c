//! Something borrowed, or owned together with others.
//!
//! A search that is kept between two turns cannot borrow from what is kept beside it. So it holds
//! its net either by a reference that lives long enough, or by its share of an [`Arc`].

use std::ops::Deref;
use std::sync::Arc;

/// A reference that lives as long as `'a`, or a share.
#[derive(Debug)]
pub enum Shared<'a, T> {
    /// Somebody else's.
    Borrowed(&'a T),
    /// Everybody's who holds it.
    Owned(Arc<T>),
}

impl<T> Clone for Shared<'_, T> {
    fn clone(&self) -> Self {
        match self {
            Shared::Borrowed(value) => Shared::Borrowed(value),
            Shared::Owned(value) => Shared::Owned(value.clone()),
        }
    }
}

impl<T> Deref for Shared<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self {
            Shared::Borrowed(value) => value,
            Shared::Owned(value) => value,
        }
    }
}

impl<'a, T> From<&'a T> for Shared<'a, T> {
    fn from(value: &'a T) -> Self {
        Shared::Borrowed(value)
    }
}

impl<T> From<Arc<T>> for Shared<'_, T> {
    fn from(value: Arc<T>) -> Self {
        Shared::Owned(value)
    }
}
