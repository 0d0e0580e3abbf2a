//go:build unix

package backend

import (
	"runtime"
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

func peakMB() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	unit := 1 << 10 // kilobytes
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(u.Maxrss) * float64(unit) / (1 << 20)
}
