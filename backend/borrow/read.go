package borrow

import "fmt"

func irregular(path string) error { return fmt.Errorf("%s is no file", path) }
