/** What two publishers say of the same thing, and why they differ. Pure. */
import type { ReconciliationClass, ReconciliationMethod, Status } from "#libs/contract/vocabulary.ts";
import type { Rule } from "./rules.ts";

/** One request, unit or published sum, as one of the two publishers has it. */
export interface Side {
	id: string;
	status: Status;
	/** MW as that publisher counts them; null where it states none. */
	mw: number | null;
	/** How many requests or units it stands for; 1 where absent. */
	records?: number;
}

/** What belongs together: each request of ours and each record of theirs stands in exactly one line. */
export interface Line {
	ours: readonly Side[];
	theirs: readonly Side[];
	rule: Rule;
	/** Where it has both sides. */
	method?: ReconciliationMethod;
}

export type { ReconciliationClass };

export const megawattsOf = (sides: readonly Side[]): number => sides.reduce((sum, { mw }) => sum + (mw ?? 0), 0);
