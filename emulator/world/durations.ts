/** The durations of no particular kind in milliseconds, before `speed` divides them. */
export const commonDurations = {
    /** The time during which reads still return the old status and values after the API has accepted a change. */
    staleRead: 300,
    /** The time after a creation during which reads of the new resource return 404. */
    notFoundAfterCreate: 0,
    /** The time after a creation during which lists do not contain the new resource. */
    notListedAfterCreate: 0,
};
