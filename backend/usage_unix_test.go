//go:build unix

package backend

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
)

// cpuSeconds is the time that processors have worked for this process, and peakMB the most memory that it had.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	const micro = 1e6
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/micro
}

// forgetPeak has peakMB tell of what comes from here on, where the system can: on Linux (proc(5), clear_refs). What made
// the sessions to be measured with, or was measured before, had memory of its own.
func forgetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

func peakMB() float64 {
	const mega = 1 << 20
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		var kilobytes float64
		if _, err := fmt.Sscan(rest, &kilobytes); err == nil {
			return kilobytes * (1 << 10) / mega
		}
	}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	unit := 1 << 10 // kilobytes
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(u.Maxrss) * float64(unit) / mega
}
