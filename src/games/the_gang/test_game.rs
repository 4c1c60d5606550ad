//! Whole games of ザ・ギャング.
