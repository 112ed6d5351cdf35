//! The deliberately naive IR interpreter: the oracle of the test suite.
