package cli

import (
	"strings"
	"unicode"

	"github.com/spf13/cobra"
)

// withWords sets the words of a query apart from the flags of search: a word that begins with one dash leaves something out, and is no
// flag. What begins with two is one, unless there is white space in it.
func withWords(root *cobra.Command, args []string) []string {
	cmd, rest, err := root.Find(args)
	if err != nil || cmd.Name() != "search" || cmd.Parent() != root {
		return args
	}
	var flags, words []string
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--":
			words, rest = append(words, rest...), nil
		case arg == "-h":
			flags = append(flags, arg)
		case !strings.HasPrefix(arg, "--") || strings.ContainsFunc(arg, unicode.IsSpace) && !known(cmd, arg):
			words = append(words, arg)
		default:
			flags = append(flags, arg)
			if takesNext(cmd, arg) && len(rest) > 0 {
				flags, rest = append(flags, rest[0]), rest[1:]
			}
		}
	}
	return append(append(append([]string{cmd.Name()}, flags...), "--"), words...)
}

// known tells whether an argument is a flag, perhaps with its value.
func known(cmd *cobra.Command, arg string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
	return cmd.Flag(name) != nil
}

// takesNext tells whether the value of a flag is the next argument.
func takesNext(cmd *cobra.Command, arg string) bool {
	flag := cmd.Flag(strings.TrimPrefix(arg, "--"))
	return flag != nil && flag.NoOptDefVal == ""
}
