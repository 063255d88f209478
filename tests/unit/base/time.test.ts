import fc from "fast-check";
import { formats } from "../../../emulator/contract";
import { formatDuration, parseTime } from "../../../provider/base/time";

/** The emulator decides independently of the check. */
const isAccepted = formats["date-time"] as (text: string) => boolean;

const numberUpTo = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, "0"));
const sign = fc.constantFrom("+", "-");

it("each time is read in every form of RFC 3339", () => {
    const times = fc.date({ min: new Date("0001-01-02"), max: new Date("9998-12-30"), noInvalidDate: true });
    const forms = fc.record({
        time: times,
        hours: numberUpTo(23),
        minutes: numberUpTo(59),
        sign,
        isLower: fc.boolean(),
    });
    fc.assert(
        fc.property(forms, fc.constantFrom("", "0", "123456"), ({ time, hours, minutes, sign, isLower }, more) => {
            const offsetMs = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
            const local = new Date(time.getTime() + offsetMs).toISOString().slice(0, -1);
            for (const text of [
                `${local}${more}${sign}${hours}:${minutes}`,
                `${time.toISOString().slice(0, -1)}${more}Z`,
            ]) {
                const given = isLower ? text.toLowerCase() : text;
                expect([given, parseTime(given), isAccepted(given)]).toEqual([given, time.getTime(), true]);
            }
        }),
    );
});

it("a text that is not a time is rejected, as by the emulator", () => {
    const year = fc.constantFrom("1900", "2000", "2024", "2026", "0000", "0100", "26");
    const parts = fc.tuple(year, numberUpTo(13), numberUpTo(32), numberUpTo(25), numberUpTo(61), numberUpTo(60));
    const zone = fc.oneof(
        fc.constantFrom("Z", "z", "", "UTC", " Z", "+00", "+0000", "-00:00"),
        fc.tuple(sign, numberUpTo(25), numberUpTo(61)).map(([of, hours, minutes]) => `${of}${hours}:${minutes}`),
    );
    const between = fc.constantFrom("T", "T", "T", "t", " ", "");
    const fraction = fc.constantFrom("", "", "", ".5", ".", ",5");
    fc.assert(
        fc.property(parts, between, fraction, zone, ([y, month, d, h, min, s], t, rest, end) => {
            const text = `${y}-${month}-${d}${t}${h}:${min}:${s}${rest}${end}`;
            expect([text, parseTime(text) !== undefined]).toEqual([text, isAccepted(text)]);
        }),
        { numRuns: 2_000 },
    );
});

it.each([
    ["2026-02-30T12:00:00Z", false],
    ["2026-02-29T12:00:00Z", false],
    ["2024-02-29T12:00:00Z", true],
    ["2026-01-31T24:00:00Z", false],
    ["2016-12-31T23:59:60Z", false],
    ["2026-01-31t12:00:00z", true],
    ["2026-01-31T12:00:00Z\n", false],
])("%j is a time: %s", (text, isTime) => {
    expect([parseTime(text) !== undefined, isAccepted(text)]).toEqual([isTime, isTime]);
});

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
    [86_399_000, "23 h 59 min"],
    [86_400_000, "1 d"],
    [59_080_500_000, "683 d 19 h"],
])("a duration of %d ms is formatted as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
});
