import type { Reporter, TestModule, TestRunEndReason } from "vitest/node";
import { recordCampaigns } from "./campaigns.ts";
import { deleteTimes, recordTime } from "./times.ts";

/** Records how long each file took and ends a run with one line in a fixed format: `N passed, N failed, N skipped`. */
export default class ClosingLine implements Reporter {
	#started = 0;

	onInit(): void {
		deleteTimes();
	}

	onTestRunStart(): void {
		this.#started = performance.now();
	}

	onTestModuleEnd(module: TestModule): void {
		const { collectDuration, setupDuration, duration } = module.diagnostic();
		recordTime("file", module.relativeModuleId, collectDuration + setupDuration + duration);
	}

	onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
		recordTime("phase", "tests", performance.now() - this.#started);
		if (reason === "passed" && errors.length === 0)
			recordCampaigns(modules.filter(({ project }) => project.name === "long"));
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
		console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
	}
}
