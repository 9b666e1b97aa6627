/** Asks statement after statement, and says of each what it should not have come to. */
import type { Answer, TestSandbox } from "./sandbox.ts";

/** What is wrong with each answer that is neither rows nor a reason; empty: all is well. */
export async function fuzz(
	system: TestSandbox,
	next: () => string,
	count: number,
): Promise<{ faults: string[]; answered: number }> {
	const faults: string[] = [];
	let answered = 0;
	let left = count;
	// As many at once as a caller may have.
	const ask = async () => {
		while (left-- > 0) {
			const sql = next();
			const answer = await system.ask(sql, { accept: left % 2 === 0 ? "text/csv" : "application/json" });
			if (answer.status === 200) answered++;
			const fault = faultOf(answer);
			if (fault !== undefined) faults.push(`${fault}: ${JSON.stringify(sql)}`);
		}
	};
	await Promise.all([ask(), ask()]);
	return { faults, answered };
}

function faultOf({ status, detail, text }: Answer): string | undefined {
	if (status === 200) return text.length > 6_000_000 ? "more than the limit came back" : undefined;
	// An empty text is no statement, and too long a one: both are the parameter's fault.
	if (status !== 400 && status !== 422) return `${status} ${text.slice(0, 200)}`;
	return detail.length < 10 ? `no reason: ${text.slice(0, 200)}` : undefined;
}

/** Every function of the server, by name. */
export async function serverFunctions({ admin }: TestSandbox): Promise<string[]> {
	const rows = await admin<{ name: string }[]>`
		select distinct proname::text as name from pg_proc where proname ~ '^[a-z_][a-z0-9_]*$' order by 1`;
	return rows.map(({ name }) => name);
}
