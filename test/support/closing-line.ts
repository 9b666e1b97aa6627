import { readFileSync, writeFileSync } from "node:fs";
import type { Reporter, TestModule, TestRunEndReason } from "vitest/node";

/**
 * Ends a run with the one line that says in any tool's language how it went. Where TEST_COUNTS names a file, the line counts the
 * runs before it too, which left their counts there.
 */
export default class ClosingLine implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
		const counts = { passed: 0, failed: errors.length, skipped: 0 };
		for (const module of modules) {
			for (const test of module.children.allTests()) {
				const { state } = test.result();
				counts[state === "pending" ? "skipped" : state] += 1;
			}
			// A file that could not be loaded, or whose hooks failed, is a failure of its own.
			counts.failed += module.errors().length;
			for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
		}
		// No test ran because the servers did not start, say.
		if (reason === "failed") counts.failed = Math.max(counts.failed, 1);
		const file = process.env.TEST_COUNTS;
		if (file) {
			const text = readFileSync(file, "utf8");
			const before: Partial<typeof counts> = text === "" ? {} : JSON.parse(text);
			for (const name of ["passed", "failed", "skipped"] as const) counts[name] += before[name] ?? 0;
			writeFileSync(file, JSON.stringify(counts));
		}
		console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
	}
}
