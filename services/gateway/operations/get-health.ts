import { AppError } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { within } from "#libs/contract/within.ts";
import { about } from "../documents/about.ts";
import type { AskOwners } from "./ask-owners.ts";

/** A load balancer gets 503 when the data is missing or its owner does not answer. `minProjects`: rows of `master`. */
export function getHealth(ask: AskOwners, minProjects: number): Handler<"getHealth"> {
	return async () => {
		const { databases } = await inTime(ask("describeDatabases")).catch((error: unknown) => {
			throw error instanceof AppError ? new Unhealthy(error.message) : error;
		});
		const rows = databases.find((database) => database.name === "master")?.row_count ?? 0;
		if (rows < minProjects) throw new Unhealthy(`master holds ${rows} projects, fewer than ${minProjects}`);
		return { json: JSON.stringify(verdict("ok")), dataVersion: 0 };
	};
}

/** A load balancer waits for seconds: an owner that hangs is as good as none. */
const patienceMs = 2_000;

async function inTime<T>(asked: Promise<T>): Promise<T> {
	const answered = await within(asked, patienceMs);
	if (answered === undefined) throw new Unhealthy(`the owner of master did not answer in ${patienceMs} ms`);
	return answered.value;
}

const verdict = (status: string): Reply<"getHealth"> => ({
	status,
	version: about.version,
	timestamp: new Date().toISOString(),
});

/** An error like any other, with a `detail`, that still says what a healthy answer says. */
class Unhealthy extends AppError {
	constructor(detail: string) {
		super(503, detail, { retryAfterSeconds: 5 });
	}

	override toJSON() {
		return { ...super.toJSON(), ...verdict("unhealthy") };
	}
}
