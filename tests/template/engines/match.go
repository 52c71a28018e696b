// Reads lines of a pattern and a value in Base64; prints yes or no for each (is the pattern found in the value, as the
// SSM agent asks?), or why the pattern is none.

package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"regexp"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		pattern, value, _ := strings.Cut(lines.Text(), " ")
		compiled, err := regexp.Compile(decoded(pattern))
		switch {
		case err != nil:
			fmt.Println("refused:", err)
		case compiled.MatchString(decoded(value)):
			fmt.Println("yes")
		default:
			fmt.Println("no")
		}
	}
}

func decoded(text string) string {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return string(raw)
}
