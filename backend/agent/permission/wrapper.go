package permission

import (
	"path"
	"slices"
	"strings"
)

// wrapper is a program that runs the command in its arguments. Options that are not named here make it hidden.
type wrapper struct {
	// flags and values are the letters of its options without and with a value.
	flags, values string
	// long are its long options, those with a value with = at the end.
	long []string
	// skip counts arguments before the command.
	skip int
	// own tells that it must be allowed itself too, since it changes what the command may do.
	own bool
}

var wrappers = map[string]wrapper{
	"env":     {flags: "i0", values: "u", long: []string{"--ignore-environment"}},
	"sudo":    {flags: "nEHk", values: "ug", own: true},
	"doas":    {flags: "n", values: "u", own: true},
	"nohup":   {},
	"setsid":  {flags: "cfw", own: true},
	"time":    {flags: "pv"},
	"nice":    {values: "n", long: []string{"--adjustment="}},
	"ionice":  {flags: "t", values: "cn"},
	"timeout": {flags: "v", values: "ks", long: []string{"--preserve-status", "--foreground", "--kill-after=", "--signal="}, skip: 1},
	"stdbuf":  {values: "ioe"},
	"xargs":   {flags: "0rtx", values: "nPLsdIE", long: []string{"--null", "--no-run-if-empty", "--max-args=", "--max-procs=", "--max-lines="}},
	"command": {}, "builtin": {}, "exec": {}, "busybox": {}, "toybox": {},
}

// changers change what the words behind them mean, or run texts that are not in sight.
var changers = strings.Fields(`. source alias unalias enable hash shopt set export declare typeset local readonly unset read
	mapfile readarray getopts let trap bind complete compgen compopt coproc fc history jobs zsh fish ksh mksh csh tcsh pwsh
	watch parallel chroot unshare nsenter strace ltrace gdb script su runuser flock start-stop-daemon`)

var shells = []string{"bash", "sh", "dash", "ash"}

// add takes in a command and, if it runs others, those.
func (s *script) add(c command, depth int) {
	if !c.words[0].known {
		s.hide("the name of a command in it can't be told")
		return
	}
	name := path.Base(c.words[0].text)
	if s.fold {
		name = strings.ToLower(name)
	}
	w, wraps := wrappers[name]
	if hasTrap(name, c) {
		s.affect("an option of " + name + " writes to a file or runs a program")
	}
	switch {
	case slices.Contains(changers, name) || setsVariable(name, c.words[1:]):
		s.hide(name + " can change what runs, or runs what is not in sight")
	case name == "cd" || name == "pushd" || name == "popd":
		s.moved = true
	case name == "eval":
		c.free = true
		s.eval(c, depth)
	case slices.Contains(shells, name):
		c.free = s.shell(c, depth)
	case name == "find":
		s.find(c, depth)
	case wraps:
		c.free = s.unwrap(name, w, c, depth) && !w.own
	}
	s.commands = append(s.commands, c)
}

func (s *script) eval(c command, depth int) {
	var text []string
	for _, w := range c.words[1:] {
		if !w.known {
			s.hide("eval runs a text that can't be told")
			return
		}
		text = append(text, w.text)
	}
	s.parse(strings.Join(text, " "), depth+1)
}

// shell reads the script behind -c; ok tells that there is one. A shell that reads its commands from its input is hidden.
func (s *script) shell(c command, depth int) (ok bool) {
	withText, i := false, 1
	for ; i < len(c.words) && strings.HasPrefix(c.words[i].text, "-"); i++ {
		if strings.Trim(c.words[i].text[1:], "ceux") != "" || c.words[i].text == "-" {
			s.hide("a shell is run with options that can't be told")
			return false
		}
		withText = withText || strings.Contains(c.words[i].text, "c")
	}
	switch {
	case i == len(c.words) || (withText && !c.words[i].known):
		s.hide("a shell runs a text that can't be told")
	case withText:
		s.parse(c.words[i].text, depth+1)
		return true
	case !c.words[i].known:
		s.hide("a shell runs a file that can't be told")
	}
	return false
}

// find adds what it runs for each file. It must be allowed itself too.
func (s *script) find(c command, depth int) {
	if c.open || slices.ContainsFunc(c.words, func(w word) bool { return !w.known }) {
		s.hide("find has arguments that can't be told")
		return
	}
	for i := 1; i < len(c.words); i++ {
		switch c.words[i].text {
		case "-files0-from":
			s.affect("find shows what a file holds")
		case "-delete", "-fprint", "-fprint0", "-fprintf", "-fls":
			s.affect("find changes files")
		case "-exec", "-execdir", "-ok", "-okdir":
			s.moved = s.moved || strings.HasSuffix(c.words[i].text, "dir")
			end := i + 1
			for end < len(c.words) && c.words[end].text != ";" && c.words[end].text != "+" {
				end++
			}
			s.inner(c, replaced(c.words[i+1:end], "{}"), false, depth)
			i = end
		}
	}
}

// replaced makes words that hold a mark unknown: something else will stand there.
func replaced(words []word, mark string) []word {
	out := slices.Clone(words)
	for i, w := range out {
		if strings.Contains(w.text, mark) {
			out[i] = word{}
		}
	}
	return out
}

// unwrap adds the command in a wrapper's arguments; ok tells that there is one.
func (s *script) unwrap(name string, w wrapper, c command, depth int) (ok bool) {
	if name == "command" && len(c.words) > 1 && (c.words[1].text == "-v" || c.words[1].text == "-V") {
		return false // only tells where a program is
	}
	rest, mark, understood := w.rest(c.words[1:])
	if !understood || (len(rest) == 0 && c.open) || (name == "env" && len(rest) > 0 && strings.Contains(rest[0].text, "=")) {
		s.hide("it can't be told what " + name + " runs")
		return false
	}
	if len(rest) == 0 {
		return false
	}
	open := c.open || name == "xargs"
	if name == "xargs" && mark != "" {
		rest, open = replaced(rest, mark), false
	}
	s.inner(c, rest, open, depth)
	return true
}

func (s *script) inner(c command, words []word, open bool, depth int) {
	if len(words) == 0 || depth > depthMost {
		s.hide("it can't be told what " + c.words[0].text + " runs")
		return
	}
	s.add(command{words: words, open: open, text: c.text}, depth+1)
}

// rest is what stands behind a wrapper's options; mark is the value of -I.
func (w wrapper) rest(words []word) (rest []word, mark string, ok bool) {
	for len(words) > 0 && words[0].known && strings.HasPrefix(words[0].text, "-") {
		option := words[0].text
		words = words[1:]
		if option == "--" {
			break
		}
		letter, taken := w.option(option)
		if !taken {
			return nil, "", false
		}
		if letter == 0 {
			continue
		}
		value := option[strings.IndexByte(option, letter)+1:]
		if value == "" {
			if len(words) == 0 || !words[0].known {
				return nil, "", false
			}
			value, words = words[0].text, words[1:]
		}
		if letter == 'I' {
			mark = value
		}
	}
	for range w.skip {
		if len(words) == 0 || !words[0].known {
			return nil, "", false
		}
		words = words[1:]
	}
	return words, mark, true
}

// option reads one word of options. letter is the one that takes a value, 0 if there is none; ok tells that all are known.
func (w wrapper) option(option string) (letter byte, ok bool) {
	if strings.HasPrefix(option, "--") {
		return 0, slices.ContainsFunc(w.long, func(long string) bool {
			return option == long || (strings.HasSuffix(long, "=") && strings.HasPrefix(option, long))
		})
	}
	for i := 1; i < len(option); i++ {
		switch {
		case strings.IndexByte(w.values, option[i]) >= 0:
			return option[i], true
		case strings.IndexByte(w.flags, option[i]) < 0:
			return 0, false
		}
	}
	return 0, len(option) > 1
}
