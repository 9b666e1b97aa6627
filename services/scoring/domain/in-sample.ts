import { fittedPeriods } from "#libs/contract/vocabulary.ts";

/** Was the version fitted on lists of that day or later: does it know what became of such requests? */
export const isInSample = (version: number, day: string): boolean => {
	const period = fittedPeriods[version];
	return period !== undefined && day <= period.to;
};
