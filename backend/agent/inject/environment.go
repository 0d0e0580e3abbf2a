package inject

import (
	"runtime"
	"strings"
)

// environment says where and when this is. The date has no time of day: it would be another request each minute, which no
// server's cache knows.
func environment(o Options) string {
	var out strings.Builder
	line := func(name, value string) {
		if value != "" {
			out.WriteString(name + ": " + oneLine(value) + "\n")
		}
	}
	out.WriteString("<environment>\n")
	line("Working directory", o.Cwd)
	line("Operating system", runtime.GOOS+"/"+runtime.GOARCH)
	line("Date", o.Now.Format("2006-01-02 (Monday)"))
	if o.Cwd != "" {
		line("Git branch", branchOf(o.Cwd))
	}
	out.WriteString("</environment>")
	return out.String()
}
