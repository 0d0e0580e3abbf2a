// Package permission decides whether a tool call may run: allowed, denied, or the user is asked. It is pure: it reads no
// file, runs nothing, and knows a call only by what [Call] says of it.
//
// A rule is a tool's name with or without a pattern, and an effect:
//
//	bash                every command
//	bash(git status)    this command and no other
//	bash(git status *)  this command with any further arguments, or none
//	read(src/**)        files below the session's folder
//	write(/tmp/x/**)    files anywhere; ~/ is the user's home
//	*                   every call of every tool
//
// Precedence. A deny rule holds wherever it comes from: a wall that the user put into the settings is not opened by a
// click in a conversation. Among the other rules the nearest scope that has one for the call decides: the session's,
// then the settings', then the defaults; there, asking beats allowing. Without any rule the user is asked.
//
// Commands are parsed (command.go), and every simple command in them, wherever it hides, must be allowed on its own.
// What can't be told from the text, such as a command whose name is a variable, is asked about, unless the whole text is
// allowed word for word. "bash" alone allows that too, as long as no deny or ask rule has a pattern that it might fall
// under. PowerShell is not parsed: there only rules for the whole text count.
//
// Allowing is strict and denying is generous. An allow rule needs every word to be known and the same; a deny rule also
// takes /bin/rm for rm, and asks where a word that it looks at can't be known, or may stand behind options: "bash(git push *)"
// asks about "git -C . push".
//
// What commands do to files is not seen here: the file rules are for the file tools.
package permission
