/** Kubernetes' manifests for tests: rendered by kustomize, or read as they are. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parse, parseAllDocuments } from "yaml";

export interface Manifest {
	apiVersion: string;
	kind: string;
	metadata: { name: string; namespace?: string; labels?: Record<string, string> };
}

export const k8sFolder = join(import.meta.dirname, "../../../deploy/k8s");

/** Each way to deploy, by folders of deploy/k8s: an overlay, with components over it. */
export const deployments = {
	"engines-inside": { overlay: "overlays/engines-inside", components: [] },
	"engines-managed": { overlay: "overlays/engines-managed", components: [] },
	"engines-inside, scaled on lag, with payments": {
		overlay: "overlays/engines-inside",
		components: ["components/scale-on-lag", "components/payments"],
	},
	"engines-managed, with a standby": { overlay: "overlays/engines-managed", components: ["components/standby"] },
	"engines-inside, with backups": { overlay: "overlays/engines-inside", components: ["components/backup"] },
} as const;
export type DeploymentName = keyof typeof deployments;

/** Why nothing can be rendered here; undefined where it can. */
export const cannotRender = whyNot();

function whyNot(): string | undefined {
	const { status, stdout } = spawnSync("kubectl", ["version", "--client", "--output=json"], { encoding: "utf8" });
	if (status !== 0) return "there is no kubectl here";
	const version: string | undefined = JSON.parse(stdout).kustomizeVersion;
	if (/^v[5-9]\./.test(version ?? "")) return undefined;
	return `kubectl here has kustomize ${version ?? "of an unknown version"}, and 5 is needed`;
}

const rendered = new Map<DeploymentName, Manifest[]>();

export function render(name: DeploymentName): Manifest[] {
	const known = rendered.get(name) ?? renderAnew(name);
	rendered.set(name, known);
	return known;
}

function renderAnew(name: DeploymentName): Manifest[] {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "energy-kustomize-")));
	const place = (path: string) => relative(folder, join(k8sFolder, path));
	const { overlay, components } = deployments[name];
	const kustomization = {
		apiVersion: "kustomize.config.k8s.io/v1beta1",
		kind: "Kustomization",
		resources: [place(overlay)],
		components: components.map(place),
	};
	try {
		writeFileSync(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
		const { status, stdout, stderr } = spawnSync("kubectl", ["kustomize", folder], { encoding: "utf8" });
		if (status !== 0) throw new Error(`${name} does not render: ${stderr}`);
		return documents(stdout);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** Every manifest that a kustomization lists as a resource, as it is in its file; patches are no manifests yet. */
export function sources(): Manifest[] {
	const folders = readdirSync(k8sFolder, { recursive: true, encoding: "utf8" })
		.filter((path) => path.endsWith("kustomization.yaml"))
		.map((path) => join(k8sFolder, path, ".."));
	return folders.flatMap((folder) => {
		const { resources = [] }: { resources?: string[] } = parse(
			readFileSync(join(folder, "kustomization.yaml"), "utf8"),
		);
		const files = resources.filter((path) => path.endsWith(".yaml"));
		return files.flatMap((path) => documents(readFileSync(join(folder, path), "utf8")));
	});
}

const documents = (text: string): Manifest[] =>
	parseAllDocuments(text).map((document) => {
		for (const error of document.errors) throw error;
		return document.toJS();
	});
