package units

import "time"

// Age returns how long ago something was as screens show it: rounded down to a step, so that it changes
// rarely. Next is how long it stays so; [Seconds] says it.
//
// The steps are a second up to 10 s, 5 s up to a minute, a minute up to an hour, an hour up to a day, and a
// day. A negative age counts as none.
func Age(d time.Duration) (age, next time.Duration) {
	d = max(0, d)
	step := time.Second
	for _, s := range [...]struct{ from, step time.Duration }{
		{10 * time.Second, 5 * time.Second}, {time.Minute, time.Minute}, {time.Hour, time.Hour}, {24 * time.Hour, 24 * time.Hour},
	} {
		if d >= s.from {
			step = s.step
		}
	}
	age = d.Truncate(step)
	return age, step - d%step
}

// Seconds is [Duration] in whole seconds, rounded down: "0 s", "12 s", "3 min 5 s".
func Seconds(d time.Duration) string {
	if d = d.Truncate(time.Second); d == 0 {
		return "0 s"
	}
	return Duration(d)
}
