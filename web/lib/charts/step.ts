/** One step of a waterfall. */
export interface Step {
	name: string;
	/** Why it is so. */
	words: string;
	/** What it adds, or where it is below zero takes away. */
	points: number;
}
