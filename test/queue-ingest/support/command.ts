/** Commands for administrators, run in this process as their programs run them. */
import { vi } from "vitest";
import { exitCodeOf, type Main } from "#libs/service/program.ts";

/** Returns the exit code, and the text on stdout and stderr. */
export async function runCommand(command: Main, args: string[], env: NodeJS.ProcessEnv) {
	const out = vi.spyOn(console, "log").mockImplementation(() => {});
	const err = vi.spyOn(console, "error").mockImplementation(() => {});
	const textOf = ({ mock }: typeof out) => mock.calls.map(([line]) => String(line)).join("\n");
	try {
		const code = await exitCodeOf(command, args, env);
		return { code, out: textOf(out), err: textOf(err) };
	} finally {
		out.mockRestore();
		err.mockRestore();
	}
}
