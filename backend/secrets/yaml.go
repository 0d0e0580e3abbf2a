package secrets

import (
	"regexp"
	"slices"
	"strings"
)

// In YAML a password stands without quotes, and may be a word: as the whole of its line, between settings of the same depth. A word alone
// is not enough for that, as in a list of terms; beside it stands where or as whom one logs in, or it is one that has digits.

var (
	// settingLine is such a line: how deep it stands, its name, and its value, perhaps with a remark behind it.
	settingLine = regexp.MustCompile(`^([ \t]*)(?:- )?([A-Za-z][A-Za-z0-9_.-]*):[ \t]+([^\s"'` + "`" + `&*!|>{}\[\]#][^\s"'` + "`" + `]*)(?:[ \t]+#.*)?[ \t]*\r?$`)
	// whereTo are the names of settings that say where somebody logs in, or as whom.
	whereTo = []string{"host", "hostname", "server", "address", "url", "uri", "endpoint", "port", "user", "username", "login", "email", "database", "db", "dbname"}
)

// inYAML tells of what stands between two places, behind a name for a password or a secret, that it is a setting of YAML.
func inYAML(text string, from, to int) bool {
	begin := strings.LastIndexByte(text[max(0, from-judged):from], '\n') + 1 + max(0, from-judged)
	line, behind, _ := strings.Cut(text[begin:min(len(text), to+judged)], "\n")
	own := settingLine.FindStringSubmatch(line)
	if own == nil || own[3] != text[from:to] || noPassword(own[3]) || isCode(own[3]) || strings.ContainsAny(own[3][len(own[3])-1:], ",;(") {
		return false
	}
	const least, digits = 4, "0123456789"
	mixed := len(own[3]) >= shortest && strings.ContainsAny(own[3], digits) && strings.Trim(own[3], digits+".") != ""
	before := strings.TrimSuffix(text[max(0, begin-judged):begin], "\n")
	next, _, _ := strings.Cut(behind, "\n")
	for _, other := range []string{before[strings.LastIndexByte(before, '\n')+1:], next} {
		beside := settingLine.FindStringSubmatch(other)
		if beside == nil || strings.HasSuffix(beside[3], ",") || strings.HasSuffix(beside[3], ";") {
			continue
		}
		says := beside[3] == "localhost" || strings.ContainsAny(beside[3], digits+".@")
		if mixed || len(own[3]) >= least && says && slices.Contains(whereTo, strings.ToLower(beside[2])) {
			return true
		}
	}
	return false
}
