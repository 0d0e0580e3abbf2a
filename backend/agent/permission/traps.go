package permission

import (
	"slices"
	"strings"
)

// traps are beginnings of options that make a program which seems to look, or to build, do something else. They are as
// short as the program takes them.
var traps = map[string][]string{
	"git": {"--ou", "--ext", "--open", "-O", "--exe", "--upl", "--rece", "--no-ind", "--conte", "--std", "--ignore-revs"},
	"go":  both("exec toolexec vettool o C ldflags gcflags asmflags gccgoflags compil mod export coverprof cpuprof memprof blockprof mutexprof trace test."),
	"wc":  {"--files"},
	"du":  {"--files", "-X", "--exclude-f"},
}

// both are options as Go's programs take them, with one dash or two.
func both(names string) (options []string) {
	for name := range strings.FieldsSeq(names) {
		options = append(options, "-"+name, "--"+name)
	}
	return options
}

// hasTrap tells whether a command has one, or an argument that may be one: what is not known yet may be anything.
func hasTrap(name string, c command) bool {
	// What stands before git's own command says where and with what settings it works, and those name programs.
	if name == "git" && len(c.words) > 1 && strings.HasPrefix(c.words[1].text, "-") && !slices.Contains(gitHarmless, c.words[1].text) {
		return true
	}
	if c.open && len(traps[name]) > 0 {
		return true
	}
	return slices.ContainsFunc(c.words[1:], func(w word) bool {
		return slices.ContainsFunc(traps[name], func(trap string) bool {
			if !w.known {
				return strings.HasPrefix(w.begins, trap) || strings.HasPrefix(trap, w.begins)
			}
			return strings.HasPrefix(w.text, trap)
		})
	})
}

// gitHarmless are options before git's own command that change nothing.
var gitHarmless = []string{"--no-pager", "--version", "--help"}

// setsVariable knows the commands that set variables, or evaluate what stands in brackets, only with some arguments.
func setsVariable(name string, arguments []word) bool {
	switch name {
	case "printf", "wait":
		return len(arguments) > 0 && (!arguments[0].known || strings.HasPrefix(arguments[0].text, "-"))
	case "test", "[":
		return slices.ContainsFunc(arguments, func(w word) bool { return !w.known || w.text == "-v" || w.text == "-R" })
	}
	return false
}
