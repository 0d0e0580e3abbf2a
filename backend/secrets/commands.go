package secrets

import "strings"

// option is how a command is given a password: behind what, whether it may be an argument of its own, and whether a user stands before it.
type option struct {
	flag  string
	apart bool
	login bool
	// among are the letters that may stand between the stroke and that of the flag, as in -su.
	among string
}

// ofCurl are the letters of curl's options that take no value.
const ofCurl = "afgGijkILlNnOqRsSv"

// commands are the programs that are given passwords, with how they are.
var commands = map[string][]option{
	"curl": {
		{flag: "--user", apart: true, login: true},
		{flag: "-u", apart: true, login: true, among: ofCurl},
		{flag: "--proxy-user", apart: true, login: true},
		{flag: "-U", apart: true, login: true, among: ofCurl},
	},
	"mysql":   {{flag: "-p"}},
	"mariadb": {{flag: "-p"}}, "mysqldump": {{flag: "-p"}}, "mysqladmin": {{flag: "-p"}}, "mysqlimport": {{flag: "-p"}}, "mariadb-dump": {{flag: "-p"}},
	"sshpass": {{flag: "-p", apart: true}},
}

// given finds the passwords that commands are given.
func given() finder {
	// none tells that there is no command in the text. command is the one whose arguments come next.
	none, asked := false, false
	var command []option
	return func(text string, from int) (start, end int) {
		if !asked {
			asked = true
			none = !strings.Contains(text, "curl") && !strings.Contains(text, "mysql") && !strings.Contains(text, "mariadb") && !strings.Contains(text, "sshpass")
		}
		for i := from; i < len(text) && !none; {
			if command != nil {
				if start, end := argument(text, i, command); start < end {
					return start, end
				}
				command = nil
			}
			length := runOf(text[i:], "-_")
			options := commands[text[i:i+length]]
			if options == nil || !begins(text, i) {
				i += max(length, 1)
				continue
			}
			if i += length; strings.HasPrefix(text[i:], ".exe") {
				i += len(".exe")
			}
			command = options
		}
		return 0, 0
	}
}

// argument looks through those of one command, as far as they stand on its line, or the next one that goes on from it.
func argument(text string, at int, options []option) (start, end int) {
	const most = 4 << 10
	last := min(len(text), at+most)
	at += len(text[at:last]) - len(strings.TrimLeft(text[at:last], `\"'`)) // what closes the argument before
	for {
		behind := blanks(text, at)
		if behind == at || behind >= last || commands[text[behind:behind+runOf(text[behind:], "-_")]] != nil {
			return 0, 0
		}
		at = behind
		for _, o := range options {
			if start, end := o.value(text, at); start < end {
				return start, end
			}
		}
		_, _, at = word(text, at)
	}
}

// value is the password behind an option, none if it is empty.
func (o option) value(text string, at int) (start, end int) {
	length := o.lengthOf(text[at:])
	if length == 0 {
		return 0, 0
	}
	at += length
	behind := blanks(text, at)
	long := strings.HasPrefix(o.flag, "--")
	switch {
	case behind > at && !o.apart, behind == at && long && !strings.HasPrefix(text[at:], "="):
		return 0, 0
	case behind == at && long:
		behind++
	}
	start, end, _ = word(text, behind)
	if o.login {
		colon := strings.IndexByte(text[start:end], ':')
		if colon < 0 {
			return 0, 0
		}
		plain := start == behind
		if start += colon + 1; plain && start == end { // of user:'password'
			start, end, _ = word(text, start)
		}
	}
	if noPassword(text[start:end]) {
		return 0, 0
	}
	return start, end
}

// lengthOf is the length of the option that text begins with, 0 if it begins with none.
func (o option) lengthOf(text string) int {
	if strings.HasPrefix(text, o.flag) {
		return len(o.flag)
	}
	if o.among == "" || !strings.HasPrefix(text, "-") {
		return 0
	}
	letters := strings.TrimLeft(text[1:], o.among)
	if !strings.HasPrefix(letters, o.flag[1:]) {
		return 0
	}
	return len(text) - len(letters) + len(o.flag[1:])
}

// word is an argument, without its quotes, and where it ends. What has quotes in the middle is several.
func word(text string, at int) (start, end, behind int) {
	escapes := len(text[at:]) - len(strings.TrimLeft(text[at:], `\`))
	if quote := at + escapes; quote < len(text) && strings.IndexByte("\"'", text[quote]) >= 0 {
		if length := quotedLength(text[quote+1:], text[quote], escapes); length >= 0 {
			end := quote + 1 + length
			return quote + 1, end, end + escapes + 1
		}
		at = quote + 1
	}
	end = at + until(text[at:], " \t\n\r\"'`|;&<>()")
	if end < len(text) && strings.IndexByte("\"'", text[end]) >= 0 { // of --data='x'
		if length := quotedLength(text[end+1:], text[end], 0); length >= 0 {
			return at, end, end + length + 2
		}
	}
	return at, end, end
}

// blanks is where an argument begins, and where the line ends the same place as before.
func blanks(text string, at int) int {
	for at < len(text) {
		escapes := len(text[at:]) - len(strings.TrimLeft(text[at:], `\`))
		next := at + escapes
		switch {
		case text[at] == ' ' || text[at] == '\t':
			at++
		case escapes > 0 && next < len(text) && text[next] == '\n', escapes > 1 && next < len(text) && text[next] == 'n':
			at = next + 1
		default:
			return at
		}
	}
	return at
}
