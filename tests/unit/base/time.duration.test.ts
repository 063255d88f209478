import { formatDuration } from "../../../provider/base/time";

describe("a duration", () => {
    it.each([
        { ms: 0, text: "0 s" },
        { ms: 40, text: "0 s" },
        { ms: 50, text: "0.1 s" },
        { ms: 800, text: "0.8 s" },
        { ms: 1_000, text: "1 s" },
        { ms: 9_940, text: "9.9 s" },
        { ms: 9_960, text: "10 s" },
        { ms: 42_400, text: "42 s" },
        { ms: 59_499, text: "59 s" },
        { ms: 59_500, text: "1 min" },
        { ms: 60_000, text: "1 min" },
        { ms: 200_000, text: "3 min 20 s" },
        { ms: 3_599_400, text: "59 min 59 s" },
        { ms: 3_599_600, text: "1 h" },
        { ms: 3_600_000, text: "1 h" },
        { ms: 7_500_000, text: "2 h 5 min" },
        { ms: 7_230_000, text: "2 h" },
        { ms: 180_000_000, text: "50 h" },
    ])("$ms ms is formatted as $text", ({ ms, text }) => {
        expect(formatDuration(ms)).toBe(text);
    });
});
