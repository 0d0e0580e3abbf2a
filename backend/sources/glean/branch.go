package glean

// CameBack is what the model is told of a branch that it came back from, as pi and the programs built on it say it.
func CameBack(summary string) string {
	return "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n" + summary + "</summary>"
}
