/** The order of test files: one project after the other, so that the files of each share their processes; within a project the longest first. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

export default class ProjectByProject extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flat();
	}
}
