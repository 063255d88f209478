import { readPackageFile } from "../packageFolder";

/** A file of the page in the built package. */
export interface Asset {
    file: string;
    type: string;
}

/** The files of the page by path. */
export const assets: ReadonlyMap<string, Asset> = new Map([
    ["/", { file: "index.html", type: "text/html; charset=utf-8" }],
    ["/_page/page.js", { file: "page.js", type: "text/javascript; charset=utf-8" }],
    ["/_page/style.css", { file: "style.css", type: "text/css; charset=utf-8" }],
    ["/favicon.ico", { file: "icon.svg", type: "image/svg+xml" }],
    ["/_page/icon.svg", { file: "icon.svg", type: "image/svg+xml" }],
]);

/** Reads the file for each request, so that an unused page needs no memory. */
export function readAsset({ file }: Asset): string {
    const path = `dist/emulator/page/${file}`;
    try {
        return readPackageFile(path);
    } catch (cause) {
        throw new Error(`The page is not built: ${path} is missing. In a clone, run npm run build.`, { cause });
    }
}
