import { formatDuration } from "../../../provider/base/time";

it.each([
    [0, "0 s"],
    [40, "0 s"],
    [50, "0.1 s"],
    [800, "0.8 s"],
    [9_940, "9.9 s"],
    [9_960, "10 s"],
    [42_400, "42 s"],
    [59_499, "59 s"],
    [59_500, "1 min"],
    [60_000, "1 min"],
    [200_000, "3 min 20 s"],
    [3_599_400, "59 min 59 s"],
    [3_599_600, "1 h"],
    [7_500_000, "2 h 5 min"],
    [7_230_000, "2 h"],
    [180_000_000, "50 h"],
])("a duration of %d ms is formatted as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
});
