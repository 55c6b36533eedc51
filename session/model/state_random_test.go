package model_test

import (
	"testing"

	"parley/session/model"
	"parley/session/sessiontest"
)

func FuzzApply(f *testing.F) {
	bodies := sessiontest.Vectors(f)
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), bodies[0])
	f.Fuzz(func(t *testing.T, numbers, body []byte) {
		i := 0
		number := func(n int) int {
			if i++; i > len(numbers) || n <= 0 {
				return 0
			}
			return int(numbers[i-1]) % n
		}
		s := model.NewState()
		sessiontest.RandomItems(s, append(bodies[:len(bodies):len(bodies)], body, body, body), number, min(len(numbers), 200))
		sessiontest.CheckPlaces(t, s)
	})
}
