/** deploy/k8s renders, and every rendered resource is one that Kubernetes takes. */
import { expect, test } from "vitest";
import { cannotRender, type DeploymentName, deployments, render, sources } from "./support/manifests.ts";
import { complaints } from "./support/schemas.ts";

const here = cannotRender === undefined ? "" : ` (skipped: ${cannotRender})`;
if (cannotRender !== undefined) console.warn(`deploy/k8s is not rendered: ${cannotRender}.`);

test.skipIf(cannotRender).for(Object.keys(deployments) as DeploymentName[])(
	`%s renders to resources that fit their schemas${here}`,
	(name) => {
		const manifests = render(name);
		expect(manifests.length).toBeGreaterThan(20);
		expect(manifests.flatMap(complaints)).toEqual([]);
	},
);

test("every manifest fits its schema as it is in its file", () => {
	expect(sources().length).toBeGreaterThan(30);
	expect(sources().flatMap(complaints)).toEqual([]);
});

test("a misspelt field, a wrong type and an unknown kind are found", () => {
	const deployment = (container: object) => ({
		apiVersion: "apps/v1",
		kind: "Deployment",
		metadata: { name: "x" },
		spec: {
			selector: { matchLabels: { a: "b" } },
			template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "x", ...container }] } },
		},
	});
	expect(complaints(deployment({ image: "x" }))).toEqual([]);
	expect(complaints(deployment({ livnessProbe: {} }))).toEqual([
		"Deployment x: unknown field spec.template.spec.containers.0.livnessProbe",
	]);
	expect(complaints(deployment({ resources: { limits: { memory: true } } }))[0]).toContain("limits/memory must be");
	expect(complaints({ ...deployment({}), apiVersion: "apps/v2" })).toEqual(["Deployment x: no schema for apps/v2"]);
});
