package com.example.client;

import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;

class Report {
    static void compute() throws Exception {
        IndexWriter w = new IndexWriter(new ByteBuffersDirectory(), new IndexWriterConfig());
        Document a = new Document();
        a.add(new NumericDocValuesField("price", 1));
        w.addDocument(a);
        Document b = new Document();
        b.add(new SortedDocValuesField("price", new BytesRef("x")));
        w.addDocument(b);
    }

    public static void main(String[] args) throws Exception {
        compute();
    }
}
