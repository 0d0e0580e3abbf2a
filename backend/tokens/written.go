package tokens

import "github.com/dustin/go-humanize"

// Written is a number of tokens as a sentence has it: with a comma behind each thousand, as all numbers in the window.
func Written(n int) string { return humanize.Comma(int64(n)) }
