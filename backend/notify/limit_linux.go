package notify

import (
	"fmt"
	"os"
	"strings"
)

// limits are where the kernel has its limits, and enough is more than anybody needs of folders, and of programs that watch some.
const (
	limits                = "/proc/sys/fs/inotify/"
	enoughFolders, enough = 524288, 1024
)

func limitOfFolders() string {
	return limitOf("folders", "max_user_watches", enoughFolders)
}

func limitOfFiles() string { return limitOf("programs' folders", "max_user_instances", enough) }

// limitOf says what a limit is now, and how it is raised.
func limitOf(what, name string, to int) string {
	now := "its limit"
	if text, err := os.ReadFile(limits + name); err == nil {
		now = strings.TrimSpace(string(text))
	}
	return fmt.Sprintf("the system watches no more %s for this user (fs.inotify.%s is %s): sudo sysctl fs.inotify.%[2]s=%[4]d raises that until the next start, and a line in /etc/sysctl.conf for good", what, name, now, to)
}
