/** The operator's command lines, called in this process. */
import { vi } from "vitest";
import { run } from "../../../services/billing/admin/keys.ts";
import { run as runOnPayments } from "../../../services/billing/admin/payments.ts";

interface Operated {
	url: string;
	clock: { now: Date };
}

const running =
	(program: typeof run) =>
	/** Calls it with the clock of the test. Answers the exit code, and what went to stdout and to stderr. */
	async ({ url, clock }: Operated, ...args: string[]) => {
		const [out, err] = [vi.spyOn(console, "log").mockReturnValue(), vi.spyOn(console, "error").mockReturnValue()];
		try {
			const code = await program(args, { POSTGRES_URL: url }, () => clock.now);
			const textOf = (spy: typeof out) => spy.mock.calls.map(([line]) => String(line)).join("\n");
			return { code, out: textOf(out), err: textOf(err) };
		} finally {
			out.mockRestore();
			err.mockRestore();
		}
	};

export const runKeys = running(run);
export const runPayments = running(runOnPayments);

/** The key that was printed. */
export const printedKey = (out: string): string => /^key +(pk_\w+)$/m.exec(out)?.[1] ?? "";
