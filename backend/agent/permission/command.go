package permission

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// script is what can be told about a command line without running it.
type script struct {
	fold     bool
	commands []command
	// hidden says why it can't be told what runs; effects, what happens besides what the commands do. Empty is none.
	hidden, effects string
	// moved tells that relative names of programs may mean other programs than they seem to.
	moved bool
}

// command is one simple command: a program and its arguments.
type command struct {
	words []word
	// open tells that further arguments follow which are known only when it runs.
	open bool
	// free tells that it does nothing but run another command, which is in the script too: no rule need allow it.
	free bool
	text string
}

// How much is parsed: a parser that calls itself needs a stack, and nobody reads more before allowing it.
const (
	commandMost = 16 << 10 // bytes
	depthMost   = 8        // commands in texts of commands
)

// readScript never fails: what is not understood is hidden.
func readScript(text string, fold bool) script {
	s := script{fold: fold}
	s.parse(text, 0)
	if !slices.ContainsFunc(s.commands, func(c command) bool { return !c.free }) {
		s.hide("there is no command in it")
	}
	if s.moved && slices.ContainsFunc(s.commands, isRelativeProgram) {
		s.hide("it changes the folder and then runs a program by a relative name")
	}
	return s
}

func isRelativeProgram(c command) bool {
	return strings.Contains(c.words[0].text, "/") && !strings.HasPrefix(c.words[0].text, "/")
}

func (s *script) hide(why string) {
	if s.hidden == "" {
		s.hidden = why
	}
}

func (s *script) affect(what string) {
	if s.effects == "" {
		s.effects = what
	}
}

func (s *script) parse(text string, depth int) {
	if len(text) > commandMost || depth > depthMost {
		s.hide("it is too long to be read")
		return
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) {
		s.hide("it holds control characters or is no UTF-8")
		return
	}
	if strings.Contains(text, "#") && strings.Contains(text, "\\\n") {
		// For bash a comment ends with its line; for the parser it goes on if that ends in a backslash.
		s.hide("it has a comment, and a line that goes on")
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		s.hide(fmt.Sprintf("it can't be parsed (%v)", err))
		return
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		s.visit(node, text, depth)
		return true
	})
}

func isControl(r rune) bool { return (r < ' ' && r != '\n' && r != '\t') || r == 0x7f }

// visit looks at one node of the syntax. A kind of node that is not named here is hidden, so that what the parser learns
// later is asked about.
func (s *script) visit(node syntax.Node, text string, depth int) {
	switch n := node.(type) {
	case nil, *syntax.File, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted, *syntax.Comment,
		*syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.CaseClause, *syntax.CaseItem,
		*syntax.BinaryCmd, *syntax.TimeClause, *syntax.CmdSubst, *syntax.ProcSubst:
	case *syntax.Stmt:
		if n.Background || n.Coprocess || n.Disown {
			s.affect("it leaves a command running in the background")
		}
		if n.Cmd == nil && len(n.Redirs) > 0 {
			s.affect("it opens files without a command") // which shows them in $(<file)
		}
	case *syntax.Redirect:
		s.redirect(n)
	case *syntax.CallExpr:
		if len(n.Assigns) > 0 {
			s.hide("it sets variables, which can change what runs")
		}
		if len(n.Args) > 0 {
			s.add(command{words: wordsOf(n.Args), text: text[n.Args[0].Pos().Offset():n.End().Offset()]}, depth)
		}
	case *syntax.ParamExp:
		if !isPlain(n) {
			s.hide("it holds an expansion that can do more than expand")
		}
	case *syntax.ForClause:
		if n.Select {
			s.hide("it asks for input")
		}
	case *syntax.WordIter:
		if !isLoopVariable(n.Name.Value) {
			s.hide("it sets the variable " + n.Name.Value + ", which can change what runs")
		}
	case *syntax.FuncDecl:
		s.hide("it defines a function, which can take the name of a program")
	default:
		s.hide(fmt.Sprintf("it holds what is not understood (%s)", strings.TrimPrefix(fmt.Sprintf("%T", n), "*syntax.")))
	}
}

// isPlain tells an expansion to a variable's value from those that evaluate it, such as ${x@P} and subscripts.
func isPlain(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Flags != nil || p.Excl || p.Width || p.IsSet || p.NestedParam != nil || p.Index != nil ||
		len(p.Modifiers) > 0 || p.Slice != nil || p.Repl != nil || p.Names != 0 {
		return false
	}
	if p.Exp == nil {
		return true
	}
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return true
	}
	return false
}

// isLoopVariable tells names that are surely nobody's setting: no program looks for them.
func isLoopVariable(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

func (s *script) redirect(r *syntax.Redirect) {
	if r.N != nil && strings.Trim(r.N.Value, "0123456789") != "" {
		s.hide("it sets a variable in a redirection")
	}
	target := wordOf(r.Word)
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
	case syntax.RdrIn:
		if !target.known || isNetwork(target.text) {
			s.affect("it reads from what can't be told, or from the network")
		}
	case syntax.DplIn, syntax.DplOut:
		if !target.known || strings.Trim(target.text, "0123456789-") != "" {
			s.affect("it writes to a file")
		}
	default:
		if !target.known || !slices.Contains([]string{"/dev/null", "/dev/stdout", "/dev/stderr"}, target.text) {
			s.affect("it writes to a file")
		}
	}
}

// isNetwork knows the files that bash makes up.
func isNetwork(file string) bool {
	file = path.Clean(file)
	return strings.HasPrefix(file, "/dev/tcp") || strings.HasPrefix(file, "/dev/udp")
}
