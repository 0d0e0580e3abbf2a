package record

import "fmt"

// Cleared is what stands for the result of a tool that is cleared, of so many tokens, whoever cleared it.
func Cleared(tokens int) string { return fmt.Sprintf("[tool result cleared: %d tokens]", tokens) }
