import { largest, mean, median, seeded } from "../../../bench/statistics";

test("a seed returns reproducible numbers, spread evenly between 0 and 1", () => {
    const draw = (seed: number) => {
        const random = seeded(seed);
        return Array.from({ length: 10_000 }, random);
    };

    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(mean(draw(1))).toBeCloseTo(0.5, 1);
    expect(Math.min(...draw(1))).toBeGreaterThanOrEqual(0);
    expect(largest(draw(1))).toBeLessThan(1);
});

test("the median is the value in the middle, or the mean of the two in the middle, in any order of the values", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
});

test("an empty list has no mean and no median", () => {
    expect(mean([])).toBeNaN();
    expect(median([])).toBeNaN();
});
