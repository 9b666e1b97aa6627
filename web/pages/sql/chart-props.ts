/** What a chart of a result is drawn of. */
import type { Result } from "./run.ts";

export interface ChartProps {
	result: Result;
	/** Place of the column along which the values go. */
	along: number;
	/** Places of the columns with the values. */
	shown: number[];
	title: string;
}
