/** Derives what a request adds to an operating plant from its parts in two lists. Pure. */
import { standardTechnology } from "../sources/technology.ts";

/** As stored in `components`. */
export interface PlantPart {
	type_std: string;
	capacity_mw: number | null;
}

/** Both are null if no part is recognised as added; `mw` is also null if an added part has no capacity. */
export interface Addition {
	type: string | null;
	mw: number | null;
}

/** Counts parts of technologies that the plant did not have before, or that are known to be added (`known`: "Solar + Storage"). */
export function additionTo(before: readonly PlantPart[], now: readonly PlantPart[], known: string | null): Addition {
	const knownTypes = known?.split(" + ") ?? [];
	const isAdded = ({ type_std: type }: PlantPart) =>
		knownTypes.includes(type) || !before.some((part) => part.type_std === type);
	const added = now.filter(isAdded);
	if (added.length === 0) return { type: null, mw: null };
	const mw = added.some((part) => part.capacity_mw === null)
		? null
		: Math.round(added.reduce((sum, part) => sum + (part.capacity_mw ?? 0), 0) * 1000) / 1000;
	return { type: standardTechnology(added.map((part) => part.type_std).join("; ")).typeStd, mw };
}
