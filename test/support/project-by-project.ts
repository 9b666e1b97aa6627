/** Runs the projects one after the other, so that files of one project share processes; within a project, the slowest or largest files first. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

export default class ProjectByProject extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flat();
	}
}
