/** Writes PDF objects without pdfkit, which would keep ten thousand tags in memory until the end. */
export interface PdfObjects {
  /** Returns a number for an object that is written later. */
  reserve(): number;
  write(body: string, id?: number): number;
}

interface Tag {
  readonly id: number;
  readonly type: string;
  readonly parent: number;
  readonly attributes: string;
  /** A number is the object number of a child tag; a text is content. */
  readonly kids: (number | string)[];
  /** The page of the tag's content, unless the content names another page. */
  page: number;
}

/**
 * Builds the structure tree of a tagged PDF: headings, paragraphs, lists and tables, and which marked content on which page
 * belongs to each. A tag is written when it ends; only open tags are in memory.
 */
export class PdfTags {
  private readonly openTags: Tag[] = [];
  /** The parent tree: for each page and each link, the tags that own its content. */
  private readonly parents: number[] = [];
  private owners: number[] = [];
  private page = 0;
  private pageKey = 0;
  /** True while a block is only measured: no tag is begun or ended. */
  isMeasuring = false;

  constructor(private readonly objects: PdfObjects) {}

  get current(): Tag {
    const tag = this.openTags.at(-1);
    if (!tag) throw new Error('nothing is drawn outside of the structure');
    return tag;
  }

  begin(type: string, attributes = ''): void {
    if (this.isMeasuring) return;
    const parent = this.openTags.at(-1);
    const tag = { id: this.objects.reserve(), type, parent: parent?.id ?? 0, attributes, kids: [], page: 0 };
    parent?.kids.push(tag.id);
    this.openTags.push(tag);
  }

  end(root = 0): number {
    if (this.isMeasuring) return 0;
    const { id, type, parent, attributes, kids, page } = this.current;
    this.openTags.pop();
    const on = page === 0 ? '' : `/Pg ${page} 0 R`;
    const content = kids.map((kid) => (typeof kid === 'number' ? `${kid} 0 R` : kid)).join(' ');
    this.objects.write(
      `<</Type/StructElem/S/${type}/P ${parent === 0 ? root : parent} 0 R${on}${attributes}/K[${content}]>>`,
      id,
    );
    return id;
  }

  /** Begins a page; returns its key in the parent tree. */
  beginPage(page: number): number {
    this.page = page;
    this.owners = [];
    this.pageKey = this.parents.push(0) - 1;
    return this.pageKey;
  }

  endPage(): void {
    this.parents[this.pageKey] = this.objects.write(`[${this.owners.map((id) => `${id} 0 R`).join(' ')}]`);
  }

  /** Returns the operator that begins content of the open tag. */
  mark(): string {
    const tag = this.current;
    const id = this.owners.push(tag.id) - 1;
    if (tag.page === 0) tag.page = this.page;
    tag.kids.push(tag.page === this.page ? String(id) : `<</Type/MCR/Pg ${this.page} 0 R/MCID ${id}>>`);
    return `/${tag.type} <</MCID ${id}>> BDC`;
  }

  /** Adds a link to the open tag; returns its key in the parent tree. */
  attachLink(link: number): number {
    this.current.kids.push(`<</Type/OBJR/Obj ${link} 0 R/Pg ${this.page} 0 R>>`);
    return this.parents.push(this.current.id) - 1;
  }

  /** Ends all open tags; returns the object number of the structure root. */
  finish(): number {
    const root = this.objects.reserve();
    while (this.openTags.length > 1) this.end();
    const document = this.end(root);
    const tree = this.parents.map((id, key) => `${key} ${id} 0 R`).join(' ');
    return this.objects.write(
      `<</Type/StructTreeRoot/K[${document} 0 R]/ParentTree<</Nums[${tree}]>>/ParentTreeNextKey ${this.parents.length}>>`,
      root,
    );
  }
}
