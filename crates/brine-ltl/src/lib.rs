//! LTL formulas and Büchi automata.
