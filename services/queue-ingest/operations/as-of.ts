/** Pages of a walk whose rows may change while it goes on: each is read as of the moment in which the walk began. */
import { gone } from "#libs/contract/errors.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Moment, Moments } from "./moments.ts";

/**
 * What `read` finds as of a walk's moment, and the moment to go on by; without one, of the present. Throws 410 where the moment is
 * held no longer and the data has changed since.
 */
export async function readAsOf<T>(
	moments: Moments,
	begun: Moment | undefined,
	read: (tx: Transaction) => Promise<T>,
): Promise<{ moment: Moment; found: T }> {
	let moment = begun ?? (await moments.begin());
	let found = await moments.at(moment, read);
	if (found === undefined) {
		// Held no longer. While the data is still the same, another moment is as good.
		moment = await moments.begin();
		if (begun === undefined || moment.dataVersion === begun.dataVersion) found = await moments.at(moment, read);
	}
	if (found === undefined)
		throw gone("the data has changed since this walk began, too long ago: begin again with cursor=*");
	return { moment, found };
}
