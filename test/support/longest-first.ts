/** The order of test files: those that take long begin first, so that no process is left with one of them while the others have nothing to do. */
import { matchesGlob, relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Longer than half a minute on two cores. Of a file that was not run here before vitest knows its size alone. */
const longest = [
	"test/subscriptions/kills.test.ts",
	"test/faults/system/{under-load,deadlines}.test.ts",
	"test/api/tools.test.ts",
	"test/faults/{broken-real-downloads,broken-downloads,large-files}.test.ts",
	"test/queue-ingest/{real-files,export-memory}.test.ts",
	"test/backup/{restore,streams-lost}.test.ts",
	"test/faults/{access-billing,access-postgres,kill-ingest}.test.ts",
	"test/security/secrets.test.ts",
];

export default class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const place = ({ moduleId }: TestSpecification) => {
			const file = relative(this.ctx.config.root, moduleId);
			const at = longest.findIndex((pattern) => matchesGlob(file, pattern));
			return at === -1 ? longest.length : at;
		};
		const sorted = await super.sort(files);
		const projects = Map.groupBy(sorted, ({ project }) => project.name);
		return [...projects.values()].flatMap((of) => of.toSorted((one, other) => place(one) - place(other)));
	}
}
