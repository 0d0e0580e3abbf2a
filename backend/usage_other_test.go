//go:build !unix

package backend

func cpuSeconds() float64 { return 0 }
func peakMB() float64     { return 0 }
func forgetPeak()         {}
